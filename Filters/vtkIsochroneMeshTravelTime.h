/**
 * @class vtkIsochroneMeshTravelTime
 * @brief first arrivals and fastest paths on a tetrahedral mesh, with speeds that depend on the direction
 *
 * Solves <grad u, M grad u> = 1, u the start time at the seeds, with a tensor M of squared speeds in each
 * cell: the time along a vector e is sqrt(<e, M^-1 e>). M comes from a constant, from speeds, from fibres
 * with conduction velocities or conductivities, or from tensors. The result is the exact fixed point of the
 * Hopf-Lax update over the cells around each vertex, on any mesh, whatever the order of work.
 *
 * Input 0 is the mesh, of tetrahedra or triangles, inputs 1 and 2 are seeds and tips (points; seeds may carry
 * the point arrays StartValue and Label). Output 0 is the mesh with the point arrays TravelTime, SeedId and
 * Reached and the cell array ConductionDirection; output 1 has the paths from the tips back to the seeds.
 *
 * Bad input gives an error message and empty outputs.
 *
 * The last field is kept: a moved tip is followed through it without solving again.
 *
 * Under MPI every rank solves its part of the mesh; times at shared points are exchanged until all agree, so
 * that the answer is that of one rank, to the bit. The mesh is never gathered.
 *
 * D. Ganellari, G. Haase, G. Zumbusch: A massively parallel Eikonal solver on unstructured meshes, Comput.
 * Visual Sci. 19, 2018.
 *
 * @warning Points that coincide do not connect their cells.
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

  enum MoreSeedTypes { OnsetTimes = 3 }; ///< of SetSeedType: the onset time array alone
  /// Indices of SetInputArrayToProcess.
  enum Arrays { SpeedArray, FibreArray, SheetArray, TensorArray, OnsetTimeArray };

  ///@{
  /// What the tensor is made from: 0 the constant speed, 1 the speed array, 2 fibres and conduction
  /// velocities, 3 fibres and conductivities, 4 the tensor array; see mesh::SpeedType.
  vtkSetClampMacro(SpeedType, int, 0, 4);
  vtkGetMacro(SpeedType, int);
  vtkSetMacro(ConstantSpeed, double);
  vtkGetMacro(ConstantSpeed, double);
  ///@}

  ///@{
  /// Along the fibre, along the sheet or across the fibre, and along the normal of both, where the speed
  /// array has not two or three components. The speed of a conductivity c is VelocityScale * sqrt(c).
  vtkSetVector3Macro(ConductionVelocities, double);
  vtkGetVector3Macro(ConductionVelocities, double);
  vtkSetVector3Macro(Conductivities, double);
  vtkGetVector3Macro(Conductivities, double);
  vtkSetMacro(VelocityScale, double);
  vtkGetMacro(VelocityScale, double);
  ///@}

  ///@{
  /// Give points within this distance of a seed their exact times where the tensor is constant. 0: do not.
  vtkSetMacro(ExactRadius, double);
  vtkGetMacro(ExactRadius, double);
  ///@}

  ///@{
  /// Divide cells that are no tetrahedra or triangles; the output is then the divided mesh.
  vtkSetMacro(Tetrahedralize, bool);
  vtkGetMacro(Tetrahedralize, bool);
  ///@}

  ///@{
  /// Order of work, see mesh::Method; it never changes the result.
  vtkSetClampMacro(Method, int, 0, 4);
  vtkGetMacro(Method, int);
  ///@}

  ///@{
  /// Add, per cell, the direction in which the wave goes, and the speed of its front.
  vtkSetMacro(ComputeConductionDirection, bool);
  vtkGetMacro(ComputeConductionDirection, bool);
  vtkSetMacro(ComputeConductionSpeed, bool);
  vtkGetMacro(ComputeConductionSpeed, bool);
  ///@}

  ///@{
  /// About the last solve: the method that ran, and how many points have exact times around seeds.
  const char* GetMethodUsed() { return this->MethodUsed.c_str(); }
  vtkGetMacro(ExactPoints, vtkIdType);
  ///@}

protected:
  vtkIsochroneMeshTravelTime();
  ~vtkIsochroneMeshTravelTime() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool Execute(Execution&) override;
  void Forget() override;

private:
  vtkIsochroneMeshTravelTime(const vtkIsochroneMeshTravelTime&) = delete;
  void operator=(const vtkIsochroneMeshTravelTime&) = delete;

  struct Internals;
  std::unique_ptr<Internals> Internal;

  int SpeedType = 0;
  double ConstantSpeed = 1;
  double ConductionVelocities[3] = {0.6, 0.4, 0.2};
  double Conductivities[3] = {0.36, 0.16, 0.04};
  double VelocityScale = 1;
  double ExactRadius = 0;
  bool Tetrahedralize = false;
  int Method = 0;
  bool ComputeConductionDirection = true;
  bool ComputeConductionSpeed = false;

  std::string MethodUsed = "none yet";
  vtkIdType ExactPoints = 0;
};

#endif
