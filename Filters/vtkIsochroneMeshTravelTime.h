/**
 * @class vtkIsochroneMeshTravelTime
 * @brief first arrival times and fastest paths on a tetrahedral mesh or a surface, with direction-dependent
 * speeds
 *
 * Solves <grad u, M grad u> = 1, where u equals the start time at the seeds. The tensor M of squared speeds
 * is constant in each cell; the time along a vector e is sqrt(<e, M^-1 e>). M comes from a constant, from
 * speeds, from fibres with conduction velocities or conductivities, or from tensors. The result is the exact
 * fixed point of the Hopf-Lax update over the cells around each vertex, for any mesh and any order of work.
 *
 * On a surface of one speed the result can also be exact: the lengths of the shortest paths (Accuracy).
 *
 * Input 0 is the mesh of tetrahedra or triangles, or a surface (vtkPolyData), whose polygons and strips are
 * divided into triangles. Inputs 1 and 2 are the seeds and the tips (points; seeds
 * may have the point arrays StartValue and Label). Output 0 is the mesh, or the surface, with the point
 * arrays TravelTime, SeedId and Reached and the cell array ConductionDirection. Output 1 has the paths from
 * the tips back to the seeds.
 *
 * Bad input produces an error message and empty outputs.
 *
 * The last field is kept: moving a tip traces a new path without solving again.
 *
 * Under MPI every rank solves its part of the mesh. Ranks exchange the times at the points that they share
 * until these are final, so the result is bit-identical to the result on one rank, except on some cells whose
 * vertices are almost collinear. Nothing of the mesh is gathered, except for exact distances: then every rank
 * solves the whole mesh.
 *
 * D. Ganellari, G. Haase, G. Zumbusch: A massively parallel Eikonal solver on unstructured meshes, Comput.
 * Visual Sci. 19, 2018.
 *
 * @warning Coincident points do not connect their cells.
 */
#ifndef vtkIsochroneMeshTravelTime_h
#define vtkIsochroneMeshTravelTime_h

#include "IsochroneFiltersModule.h" // for the export macro
#include "vtkIsochroneFrontFilter.h"

#include <memory> // for the private part
#include <string> // for the name of the method

class ISOCHRONEFILTERS_EXPORT vtkIsochroneMeshTravelTime : public vtkIsochroneFrontFilter {
public:
  static vtkIsochroneMeshTravelTime* New();
  vtkTypeMacro(vtkIsochroneMeshTravelTime, vtkIsochroneFrontFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MoreOutputPorts { JacobianPort = PathsPort + 3 }; ///< after isochrones and travel time table
  enum MoreSeedTypes { OnsetTimes = 3 };                 ///< value of SeedType: the onset time array alone
  /// Indices of SetInputArrayToProcess.
  enum Arrays { SpeedArray, FibreArray, SheetArray, TensorArray, OnsetTimeArray };

  ///@{
  /// Source of the tensor M: 0 ConstantSpeed (default), 1 the speed array, 2 fibres and conduction
  /// velocities, 3 fibres and conductivities, 4 the tensor array; see mesh::SpeedType.
  vtkSetClampMacro(SpeedType, int, 0, 4);
  vtkGetMacro(SpeedType, int);
  vtkSetMacro(ConstantSpeed, double);
  vtkGetMacro(ConstantSpeed, double);
  ///@}

  ///@{
  /// Values along the fibre, along the sheet (without sheets: across the fibre) and along the normal of both.
  /// Not used if the speed array has two or three components. The speed of a conductivity c is VelocityScale
  /// * sqrt(c).
  vtkSetVector3Macro(ConductionVelocities, double);
  vtkGetVector3Macro(ConductionVelocities, double);
  vtkSetVector3Macro(Conductivities, double);
  vtkGetVector3Macro(Conductivities, double);
  vtkSetMacro(VelocityScale, double);
  vtkGetMacro(VelocityScale, double);
  ///@}

  ///@{
  /// Accuracy: 0 FirstOrder (default), 1 Exact: the lengths of the shortest paths on a surface of triangles,
  /// divided by the speed, and these paths; see mesh::Accuracy. Exact needs one speed everywhere, and runs on
  /// the host; under MPI every rank solves the whole surface.
  vtkSetClampMacro(Accuracy, int, 0, 1);
  vtkGetMacro(Accuracy, int);
  ///@}

  ///@{
  /// Give points within this world length of a seed their exact times where a straight line from the seed
  /// stays in cells of one tensor. 0 (default): off.
  vtkSetMacro(ExactRadius, double);
  vtkGetMacro(ExactRadius, double);
  ///@}

  ///@{
  /// Divide cells other than tetrahedra and triangles; the output is then the divided mesh. Off by default.
  vtkSetMacro(Tetrahedralize, bool);
  vtkGetMacro(Tetrahedralize, bool);
  ///@}

  ///@{
  /// Order of work, see mesh::Method; it never changes the result.
  vtkSetClampMacro(Method, int, 0, 4);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /// Add, per cell, the propagation direction of the wave (on by default) and the speed of its front (off by
  /// default).
  vtkSetMacro(ComputeConductionDirection, bool);
  vtkGetMacro(ComputeConductionDirection, bool);
  vtkSetMacro(ComputeConductionSpeed, bool);
  vtkGetMacro(ComputeConductionSpeed, bool);
  ///@}

  ///@{
  /// Add the derivatives of the weighted sum of the travel times of the tips (point array Weight) with
  /// respect to the numbers that define the speed, and to the start values. Off by default. Not with Accuracy
  /// Exact, on parts of a mesh, and with separate seeds.
  vtkSetMacro(ComputeSensitivity, bool);
  vtkGetMacro(ComputeSensitivity, bool);
  ///@}

  ///@{
  /// Fill the table with the derivatives of the travel time of each tip with respect to the slowness of each
  /// cell or point, whichever has the speed, one entry per row. The slowness is 1 / speed if the speed is
  /// isotropic; otherwise it is a factor on the slowness in all directions, which is 1 in the given medium.
  /// With such a factor, entries may be negative where obtuse angles of a surface are unfolded. Off by
  /// default. As for ComputeSensitivity.
  vtkSetMacro(ComputeJacobian, bool);
  vtkGetMacro(ComputeJacobian, bool);
  ///@}

  ///@{
  /// Information about the last solve: the method that ran, and the number of points with exact times around
  /// seeds.
  const char* GetMethodUsed() { return this->MethodUsed.c_str(); }
  vtkGetMacro(ExactPoints, vtkIdType);
  ///@}

protected:
  vtkIsochroneMeshTravelTime();
  ~vtkIsochroneMeshTravelTime() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  /// Returns the type of the first output: vtkPolyData for a surface, else vtkUnstructuredGrid.
  int FieldType(vtkDataObject* input) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneMeshTravelTime(const vtkIsochroneMeshTravelTime&) = delete;
  void operator=(const vtkIsochroneMeshTravelTime&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int SpeedType = 1;
  double ConstantSpeed = 1;
  double ConductionVelocities[3] = {0.6, 0.4, 0.2};
  double Conductivities[3] = {0.36, 0.16, 0.04};
  double VelocityScale = 1;
  int Accuracy = 0;
  double ExactRadius = 0;
  bool Tetrahedralize = false;
  int Method = 0;
  bool ComputeConductionDirection = true;
  bool ComputeConductionSpeed = false;
  bool ComputeSensitivity = false;
  bool ComputeJacobian = false;

  std::string MethodUsed = "none yet";
  vtkIdType ExactPoints = 0;
};

#endif
